// The error responses for a body that Express's parser refuses: cause and fix, and nothing of the
// body.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from '../src/oauth-problem.ts'

test('names what is wrong with a body, and quotes nothing of it', () => {
  const refusal = (message: string, fields: object) =>
    explain(Object.assign(new SyntaxError(message), fields))
  const parsing = { statusCode: 400, type: 'entity.parse.failed' }
  const broken = refusal(`Unexpected end of "{"code":"code_1"`, parsing)
  assert.deepEqual([broken.status, broken.problem.error], [400, 'invalid_request'])
  assert.equal(broken.problem.cause, 'The request body is not JSON.')
  const large = refusal('request entity too large', { statusCode: 413, type: 'entity.too.large' })
  assert.deepEqual([large.status, large.problem.cause], [413, 'request entity too large'])
  assert.equal(refusal('insides', { statusCode: 500 }).problem.error, 'internal_server_error')
})
