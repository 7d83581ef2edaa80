// The data of a development installation after its first start, with its sample practices, people and keys: made
// once in a run of the tests and copied to each sandbox of it. A first start hashes six passwords and makes three
// keys, half a second of a processor, and what a test of a browser sees is the same. Without a run of the tests
// there is nothing to copy: the sandbox makes its own.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { SAMPLE_ADMIN_EMAIL, SAMPLE_PASSWORD } from '@chartside/server/sample-data'
import { makeOnce } from '../packed/made-once.ts'
import { startService } from './service-process.ts'

/** As examples/sandbox starts it, with the defaults of everything else. */
const environment = {
  CHARTSIDE_ENVIRONMENT: 'development',
  CHARTSIDE_ADMIN_EMAIL: SAMPLE_ADMIN_EMAIL,
  CHARTSIDE_ADMIN_PASSWORD: SAMPLE_PASSWORD,
}

/** Into a folder that a service of a sandbox has not seen yet. */
export async function copySampleData(dataDir: string): Promise<void> {
  const made = await makeOnce('sample-data', async (folder) => {
    const first = join(folder, 'data')
    const service = await startService({ dataDir: first, environment })
    await service.end()
    return first
  })
  if (made) await cp(made, dataDir, { recursive: true })
}
