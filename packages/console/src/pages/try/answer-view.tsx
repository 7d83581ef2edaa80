// The answer of a request: status, time, trace id, headers and body. Secrets are cut out of the body and shown
// once, each until the person says that it is stored; then, or when the page is left, they are gone.
/** @jsxImportSource preact */
import { CodeBlock, Duration, Pill, SecretField } from '@chartside/ui'
import { useEffect, useRef } from 'preact/hooks'
import { copyText } from '../../parts/copy-text.ts'
import { Section } from '../../parts/page-head.tsx'
import { addLeaveGuard } from '../../route/location.ts'
import type { ShownAnswer } from './request.ts'

export function AnswerView({ answer }: { readonly answer: ShownAnswer }) {
  const { status, statusText, durationMs, traceId, headers, text, secrets } = answer
  const open = useRef(new Set(secrets.map(({ name }) => name)))
  useEffect(() => addLeaveGuard(() => open.current.size === 0), [])
  const isGood = status < 400
  return (
    <Section title="Answer">
      <dl class="facts">
        <div>
          <dt>Status</dt>
          <dd>
            <Pill tone={isGood ? 'good' : 'bad'} icon={isGood ? 'check' : 'cross'}>
              {`${status} ${statusText}`.trim()}
            </Pill>
          </dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>
            <Duration ms={durationMs} />
          </dd>
        </div>
        {traceId && (
          <div>
            <dt>Trace id</dt>
            <dd>
              <code>{traceId}</code>
            </dd>
          </div>
        )}
      </dl>
      {secrets.map(({ name, value }) => (
        <SecretField
          key={name}
          label={name.slice(1)}
          secret={value}
          copy={copyText}
          onKept={() => {
            open.current.delete(name)
          }}
        />
      ))}
      {text !== '' && <CodeBlock title="Body" text={text} copy={copyText} />}
      <details class="answer-headers">
        <summary>{headers.length} headers</summary>
        <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
      </details>
    </Section>
  )
}
