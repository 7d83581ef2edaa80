// The data of a sandbox after its first start, before an app is registered: its practices, people and keys.
// Owns the settings of that start.
import { loadAdministrator } from '../../examples/sandbox/src/administrator.ts'
import { copyDataOfStart } from './copied-data.ts'
import { startService } from './service-process.ts'

export const copySampleData = (dataDir: string): Promise<void> =>
  copyDataOfStart('sample-data', dataDir, async (folder) => {
    const { email, password } = await loadAdministrator(folder)
    // As examples/sandbox starts it, with the defaults of everything else.
    const environment = {
      CHARTSIDE_ENVIRONMENT: 'development',
      CHARTSIDE_ADMIN_EMAIL: email,
      CHARTSIDE_ADMIN_PASSWORD: password,
    }
    const service = await startService({ dataDir: folder, environment })
    await service.end()
  })
