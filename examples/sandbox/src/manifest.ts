// The manifest of an app, read from its folder. What it may say is in the protocol package, which reads
// no file.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST_FILE, type Manifest, parseManifestText } from '@chartside/protocol/app-manifest'

/** @throws ManifestError that names the file, the field and its rule */
export async function loadManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, MANIFEST_FILE), 'utf8').catch(() => undefined)
  return parseManifestText(text, directory)
}
