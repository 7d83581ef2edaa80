// A table that becomes a list of cards where there is no room for columns: every cell then carries the
// name of its column. The first column is the header of its row.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly id: string
  readonly label: string
  readonly isNumber?: boolean | undefined
  /** The sorting of a column that the list can be sorted by. */
  readonly sort?: { readonly isSorted: boolean; readonly onPress: () => void } | undefined
  render(row: Row): ComponentChildren
}

export interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  rowId(row: Row): string
  readonly isCaptionHidden?: boolean | undefined
}

export function Table<Row>({ caption, columns, rows, rowId, isCaptionHidden }: TableProps<Row>) {
  const classOf = (column: Column<Row>) => (column.isNumber ? 'number' : undefined)
  return (
    <div class="table-frame">
      <table class="table">
        <caption class={isCaptionHidden ? 'unseen' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                class={classOf(column)}
                aria-sort={column.sort?.isSorted ? 'ascending' : undefined}
              >
                {column.sort ? (
                  <button type="button" class="sort" onClick={column.sort.onPress}>
                    {column.label}
                    <span aria-hidden="true">{column.sort.isSorted ? ' ▲' : ' ↕'}</span>
                  </button>
                ) : (
                  column.label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.id} scope="row">
                    {column.render(row)}
                  </th>
                ) : (
                  <td key={column.id} class={classOf(column)} data-label={column.label}>
                    {column.render(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
