// Every operation of the backend API that the person may call here, by section, found by words. Each leads to
// a form that calls it.
/** @jsxImportSource preact */
import { EmptyState } from '@chartside/ui'
import { loadDocument } from '../../api/document.ts'
import { BASE } from '../../installation.ts'
import { useRecord } from '../../load/use-record.ts'
import { FindField } from '../../parts/find-field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { findOperations, listOperations, mayCall, type Operation } from './operations.ts'

export default function TryPage({ scope }: PageProps) {
  const text = place.value.query.get('find') ?? ''
  const load = useRecord((signal) => loadDocument({ signal }), 'document')
  return (
    <>
      <PageHead
        title="API"
        about="Call the backend API as the person that you are signed in as. Reading runs at once; what changes something asks first."
        actions={
          <a class="button" href={`${BASE}/doc`}>
            Reference
          </a>
        }
      />
      <FindField label="Operation" hint="Words of its address, its name or what it does" />
      <Loaded load={load} what="the operations">
        {(document) => {
          const allowed = listOperations(document).filter((one) => mayCall(one, scope))
          const found = findOperations(allowed, text)
          return (
            <>
              <p class="quiet operations-count" role="status">
                {found.length === allowed.length
                  ? `${allowed.length} operations`
                  : `${found.length} of ${allowed.length} operations`}
              </p>
              {found.length === 0 && (
                <EmptyState icon="search" title="No operation matches">
                  Use fewer words, such as “launches” or “secret”.
                </EmptyState>
              )}
              {[...Map.groupBy(found, ({ section }) => section)].map(([section, operations]) => (
                <Section key={section} title={section}>
                  <ul class="card operations">
                    {operations.map((operation) => (
                      <OperationLink
                        key={operation.id}
                        operation={operation}
                        address={scopedAddress(scope, `try/${operation.id}`)}
                      />
                    ))}
                  </ul>
                </Section>
              ))}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function OperationLink({
  operation: { method, path, summary },
  address,
}: {
  readonly operation: Operation
  readonly address: string
}) {
  return (
    <li>
      <a href={address}>
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <span class="operation-words">
          {summary}
          <code class="below">{path}</code>
        </span>
      </a>
    </li>
  )
}
