// What is wrong with the inputs of a build, before anything is written: the browser would refuse the
// package, or the extension would find no service. Pure.
import { createPublicKey } from 'node:crypto'
import type { BuildInputs } from './src/manifest.ts'
import { widenToHost } from './src/match-pattern.ts'
import { parseServiceAddress } from './src/settings.ts'

/** One sentence for each input, with its option. */
export function findInputProblems(inputs: BuildInputs): string[] {
  const { version, key, service, ehrHosts, isDevelopment } = inputs
  const address = service === null ? {} : parseServiceAddress(service, isDevelopment)
  return [
    ...(isVersion(version)
      ? []
      : [`--version ${version} must be one to four numbers up to 65535, such as 1.4.0.`]),
    ...(key === null || isPublicKey(key)
      ? []
      : ['--key must be a public key: base64 of its SubjectPublicKeyInfo, without the PEM lines.']),
    ...('problem' in address ? [`--service ${service}: ${address.problem}`] : []),
    ...ehrHosts
      .filter((pattern) => !isHostPattern(pattern))
      .map((pattern) => `--ehr ${pattern} must be a match pattern such as https://ehr.example/*.`),
  ]
}

const isVersion = (version: string): boolean =>
  /^(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){0,3}$/.test(version) &&
  version.split('.').every((part) => Number(part) <= 65_535) &&
  /[1-9]/.test(version)

function isPublicKey(key: string): boolean {
  try {
    createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return true
  } catch {
    return false
  }
}

/** A * stands at the start of the host only, before a name of at least two parts or localhost. */
function isHostPattern(pattern: string): boolean {
  const host = widenToHost(pattern)?.split('/')[2]
  return host !== undefined && /^(\*\.)?[a-z0-9_.:[\]-]+$/.test(host)
}
