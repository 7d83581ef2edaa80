// Owns the one difference of parameter syntax between the engines: `?`, which every statement is
// written with, becomes `$1`, `$2` … for PostgreSQL. Leaves question marks in string literals,
// quoted names and comments alone. Pure; knows no table.

/** What is copied as it stands, or a placeholder. Quotes double inside literals, in both engines. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g

/** The same statement with numbered parameters. */
export function numberPlaceholders(sql: string): string {
  let count = 0
  return sql.replace(TOKEN, (token) => {
    if (token !== '?') return token
    count += 1
    return `$${count}`
  })
}
