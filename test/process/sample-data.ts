// The data of a sandbox after its first start, before an app is registered: its practices, people and keys.
// Owns the settings of that start.
import { SAMPLE_ADMIN_EMAIL, SAMPLE_PASSWORD } from '@chartside/server/sample-data'
import { copyDataOfStart } from './copied-data.ts'
import { startService } from './service-process.ts'

/** As examples/sandbox starts it, with the defaults of everything else. */
const environment = {
  CHARTSIDE_ENVIRONMENT: 'development',
  CHARTSIDE_ADMIN_EMAIL: SAMPLE_ADMIN_EMAIL,
  CHARTSIDE_ADMIN_PASSWORD: SAMPLE_PASSWORD,
}

export const copySampleData = (dataDir: string): Promise<void> =>
  copyDataOfStart('sample-data', dataDir, async (folder) => {
    const service = await startService({ dataDir: folder, environment })
    await service.end()
  })
