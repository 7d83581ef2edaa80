// The page of a list: head with the button that creates, what finds and filters, then the table of the
// records page by page, or what stands in its place while there is none. A page brings the list, the
// columns and the words; dialogs follow as children. It loads nothing itself.
/** @jsxImportSource preact */
import { type Column, EmptyState, type IconName } from '@chartside/ui'
import type { ComponentChildren } from 'preact'
import type { Problem } from '../api/problem.ts'
import { FormProblem } from '../forms/form-frame.tsx'
import type { LoadedPages } from '../load/use-list.ts'
import { LoadedList } from './loaded.tsx'
import { PageHead } from './page-head.tsx'
import { RecordTable } from './record-table.tsx'

export interface EmptyWords {
  readonly icon: IconName
  readonly title: string
  readonly text: ComponentChildren
}

export interface RecordListPageProps<Row> {
  readonly title: string
  readonly about: ComponentChildren
  /** The button that creates a record; it also stands in the empty list. */
  readonly actions?: ComponentChildren
  /** The search and the filters. */
  readonly finders?: ComponentChildren
  /** The refusal of the last action on a row. */
  readonly problem?: Problem | undefined
  /** The words of loading and its failures, as in “Could not load the members”. */
  readonly what: string
  readonly list: LoadedPages<Row>
  /** The name of the table for screen readers; the title when it is left out. */
  readonly caption?: string
  readonly columns: (rows: readonly Row[]) => readonly Column<Row>[]
  readonly empty: EmptyWords
  /** The words in place of `empty` when the role of the person hides what others see. */
  readonly hidden?: EmptyWords
  /** The words in place of `empty` while a search or a filter leaves nothing; undefined without one. */
  readonly noMatch?: EmptyWords | undefined
  readonly children?: ComponentChildren
}

export function RecordListPage<Row extends { readonly id: string }>(
  props: RecordListPageProps<Row>,
) {
  const { title, about, actions, finders, problem, list, what, columns, children } = props
  const hidden = list.isHidden ? props.hidden : undefined
  const { icon, title: emptyTitle, text } = props.noMatch ?? hidden ?? props.empty
  return (
    <>
      <PageHead title={title} about={about} actions={actions} />
      {finders}
      {problem && <FormProblem problem={problem} />}
      <LoadedList
        list={list}
        what={what}
        empty={
          <EmptyState icon={icon} title={emptyTitle} actions={props.noMatch ? undefined : actions}>
            {text}
          </EmptyState>
        }
      >
        {(rows) => (
          <RecordTable
            caption={props.caption ?? title}
            isCaptionHidden
            rows={rows}
            rowId={({ id }) => id}
            columns={columns(rows)}
          />
        )}
      </LoadedList>
      {children}
    </>
  )
}
