// What “Add an app…” says when the service refuses an app: the fields of the dialog, each problem once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRefusal } from '../src/added-app.ts'

test('names the fields of the dialog, and a problem of two fields once', () => {
  const message = 'POST /api/apps answered 422'
  const https = 'This URL must begin with https.'
  const field = (name: string, text = https) => ({ field: name, message: text })
  const cases = [
    [[field('/launchUrl')], `Launch URL: ${https}`],
    [[field('/launchUrl'), field('/redirectUris/0')], `Launch URL and Redirect URI: ${https}`],
    [
      [field('/name', 'Enter a name.'), field('/redirectUris/1')],
      `Name: Enter a name. Redirect URI: ${https}`,
    ],
    [[field('/accountId')], `accountId: ${https}`],
    [[field('/redirectUris/0'), field('/redirectUris/1')], `Redirect URI: ${https}`],
    [[], message],
  ] as const
  for (const [fields, said] of cases) assert.equal(describeRefusal({ fields, message }), said)
})
