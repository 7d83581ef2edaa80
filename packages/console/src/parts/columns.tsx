// Columns that several lists have: a moment, and the menu of what can be changed in a row. They show
// and pass on; they change nothing.
/** @jsxImportSource preact */
import { type Column, Menu, type MenuItem, Timestamp } from '@chartside/ui'
import { place, setQuery } from '../route/location.ts'

/** A moment of each row; null is shown as “Never”. */
export const timeColumn = <Row,>(
  id: string,
  label: string,
  timeOf: (row: Row) => string | null,
): Column<Row> => ({
  id,
  label,
  render: (row) => {
    const time = timeOf(row)
    if (time === null) return <span class="quiet">Never</span>
    return <Timestamp at={Date.parse(time)} now={Date.now()} />
  },
})

/** Whether the address asks for the list by name. */
export const sortOf = (): 'name' | undefined =>
  place.value.query.get('sort') === 'name' ? 'name' : undefined

/** The column of names sorts the list at the service; pressed again, it is in the order of creation. */
export const sortByName = () => ({
  isSorted: sortOf() === 'name',
  onPress: () => setQuery({ sort: sortOf() === 'name' ? undefined : 'name' }),
})

/** A menu named after its row. */
export const menuColumn = <Row,>(
  nameOf: (row: Row) => string,
  itemsOf: (row: Row) => readonly MenuItem[],
  onChoose: (id: string, row: Row) => void,
): Column<Row> => ({
  id: 'change',
  label: 'Change',
  render: (row) => (
    <Menu
      label={`Change ${nameOf(row)}`}
      items={itemsOf(row)}
      onChoose={(id) => onChoose(id, row)}
    />
  ),
})
