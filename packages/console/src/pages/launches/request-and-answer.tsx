// The refused request as it arrived and its answer, with every secret cut, and the same as a command.
// Nothing of it is sent from here.
/** @jsxImportSource preact */
import type { Launch } from '@chartside/protocol/payloads'
import { CodeBlock, CopyButton } from '@chartside/ui'
import { copyText } from '../../parts/copy-text.ts'
import { Section } from '../../parts/page-head.tsx'
import { buildCurl, describeAnswer, describeRequest, findRefused } from './request.ts'

export function RequestAndAnswer({ launch }: { readonly launch: Launch }) {
  const refused = findRefused(launch)
  if (!refused) return null
  return (
    <Section
      title="Request and answer"
      about="As they arrived; secrets are never stored."
      actions={
        <CopyButton
          text={buildCurl(refused, location.origin)}
          label="Copy as curl"
          isCompact={false}
          copy={copyText}
        />
      }
    >
      <div class="request-and-answer">
        <CodeBlock title="Request" text={describeRequest(refused)} copy={copyText} />
        <CodeBlock title="Answer" text={describeAnswer(refused)} copy={copyText} />
      </div>
    </Section>
  )
}
