// What a command prints as its result: lines for a person, or one JSON document for a program that asks
// with --json. Every command takes the option. Contract §10.
import type { Command } from 'commander'
import type { CliContext } from './context.ts'

export interface Output {
  readonly json?: true
}

export const withJson = (command: Command): Command => command.option('--json', 'as JSON')

export function printResult(
  { print }: Pick<CliContext, 'print'>,
  { json }: Output,
  record: unknown,
  text: string,
): void {
  print(json ? JSON.stringify(record, null, 2) : text)
}
