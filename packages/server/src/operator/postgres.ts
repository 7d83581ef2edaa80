// What the command line uses of PostgreSQL alone. Apart from the rest, because it loads the driver.
// A part of the contract with @chartside/operator (README.md); owns nothing itself.

export { checkedUrl } from '../db/postgres/postgres.ts'
export { parseHosts } from '../db/postgres/postgres-hosts.ts'
