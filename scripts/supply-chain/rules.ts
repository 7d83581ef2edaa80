// The rules of what may come from outside: registry packages with a SHA-512 only, install scripts by
// name, licences by name. Pure; each rule gives its problems as sentences.
import { keyOf, type LockFile, listPackages } from './lock-file.ts'

/** Licences that allow what this project does with a package, and ask nothing of its own source. */
export const LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  // MIT without the notice.
  'MIT-0',
]

const REGISTRY = 'https://registry.npmjs.org/'

/** A Git repository, a folder or a plain tarball has no version that a registry keeps for ever. */
export const listSourceProblems = (lock: LockFile): string[] =>
  listPackages(lock).flatMap((one) => [
    ...(one.integrity?.startsWith('sha512-')
      ? []
      : [`${keyOf(one)} has no SHA-512 in the lock file. Run npm install with the registry.`]),
    ...(one.resolved === undefined || one.resolved.startsWith(REGISTRY)
      ? []
      : [`${keyOf(one)} comes from ${one.resolved}, not from the registry.`]),
    ...(/^\d+\.\d+\.\d+/.test(one.version ?? '') ? [] : [`${one.place} has no version.`]),
  ])

/** `allowed`: allowScripts of package.json; true runs the script, false refuses it. */
export function listScriptProblems(
  lock: LockFile,
  allowed: Readonly<Record<string, boolean>>,
): string[] {
  const withScripts = new Set(
    listPackages(lock)
      .filter(({ hasInstallScript }) => hasInstallScript)
      .map(({ name }) => name),
  )
  return [
    ...[...withScripts]
      .filter((name) => !Object.hasOwn(allowed, name))
      .map((name) => `${name} has an install script. Read it, then name it in allowScripts.`),
    ...Object.keys(allowed)
      .filter((name) => !withScripts.has(name))
      .map((name) => `${name} is in allowScripts and has no install script any more.`),
  ]
}

/** `MIT OR Apache-2.0` is allowed when one of them is, `MIT AND X` when both are. */
export function isAllowedLicence(expression: string | undefined): boolean {
  if (expression === undefined) return false
  const alternatives = expression.replace(/[()]/g, '').split(/ OR /)
  return alternatives.some((one) => one.split(/ AND /).every((part) => LICENCES.includes(part)))
}

/** Lists the problems of what is not for development only. */
export const listLicenceProblems = (lock: LockFile): string[] =>
  listPackages(lock)
    .filter(({ dev, license }) => !dev && !isAllowedLicence(license))
    .map(
      (one) =>
        `${keyOf(one)} has the licence ${one.license ?? 'unknown'}, which is not on the list in ` +
        'scripts/supply-chain/rules.ts.',
    )
