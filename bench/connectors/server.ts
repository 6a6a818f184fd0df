import { startExecutor } from '../../apps/executor/src/index.ts'
import { serveApi } from '../serve-api.ts'

const [folder = '', database_url = ''] = process.argv.slice(2)
/** The API and the executor in one process, as `npm start` has them, and who commits to manifests. No sandboxes. */
await serveApi({
  ...{ folder, database_url, merges: 1 },
  beside: (platform) => {
    const { executor, close } = startExecutor(platform, {
      ...{ SVC_APPROVAL_SIGN_IN_MINUTES: 60, SVC_CONNECTOR_CALL_DAYS: 90, SVC_EXECUTOR_CONCURRENCY: 32 },
      SVC_OUTBOUND_ADDRESSES: ['127.0.0.0/8'],
    })
    return { parts: { executor }, close }
  },
})
