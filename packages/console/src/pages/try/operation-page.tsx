// The page of one operation of the backend API, when the person may call it here; operation-form.tsx has its
// form.
/** @jsxImportSource preact */
import { EmptyState } from '@chartside/ui'
import { loadDocument } from '../../api/document.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { OperationForm } from './operation-form.tsx'
import { listOperations, mayCall } from './operations.ts'

export default function OperationPage({ params, scope }: PageProps) {
  const load = useRecord((signal) => loadDocument({ signal }), 'document')
  return (
    <Loaded load={load} what="the operation">
      {(document) => {
        const operation = listOperations(document).find(({ id }) => id === params.operation)
        const crumbs = [{ label: 'API', address: scopedAddress(scope, 'try') }]
        if (!operation || !mayCall(operation, scope)) {
          return (
            <>
              <PageHead title="API" crumbs={crumbs} />
              <EmptyState icon="search" title="Not an operation of yours">
                {operation
                  ? `${operation.summary} ${operation.description} Choose an account in which you have this role.`
                  : 'A signed-in person cannot call this operation here.'}
              </EmptyState>
            </>
          )
        }
        return (
          <>
            <PageHead
              title={operation.summary.replace(/\.$/, '')}
              crumbs={crumbs}
              about={operation.description}
            />
            <OperationForm
              key={operation.id}
              operation={operation}
              document={document}
              scope={scope}
            />
          </>
        )
      }}
    </Loaded>
  )
}
