import { randomUUID } from 'node:crypto'
import { createLogger, createMetrics } from '@svc/boot'
import { noMaintenance } from '@svc/context'
import { createDatabase, DatabaseListener } from '@svc/db'
import { createRepositories } from '@svc/git'
import { openFolderStore } from '@svc/objects'
import { guardedWire } from '@svc/outbound'
import { createProviders, type Provider } from '@svc/upstream'
import { createVault } from '@svc/vault'
import { createExecutor } from '../../src/executor/index.ts'

/** An executor in a process of its own, which carries out the calls that it is given and is killed at one line of each. */
const [settings = '{}'] = process.argv.slice(2)
const { connection_string, master_key, folder, now, line, call_id } = JSON.parse(settings) as Record<
  string,
  string
>
const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  // The signal comes at once; nothing of what follows may run before.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const db = createDatabase(connection_string ?? '')
const wire = guardedWire({ open: ['127.0.0.0/8'] })
const http = createProviders({ wire }).of.http
if (http === undefined) throw new Error('There is no provider http')
const dying: Provider = {
  ...http,
  // Line 4: the gate once more, when the call is claimed and nothing was sent.
  origin: async (target) => (line === 'gate' ? die() : http.origin(target)),
  call: async (target, action, args, options) => {
    if (line === 'sent') {
      await options.beforeSend()
      die()
    }
    const outcome = await http.call(target, action, args, options)
    // Line 6: the answer is read, and written nowhere.
    return line === 'answered' ? die() : outcome
  },
}
const at = new Date(now ?? 0)
const executor = createExecutor({
  db,
  locks: createDatabase(connection_string ?? ''),
  listener: new DatabaseListener(connection_string ?? ''),
  enqueue: async () => {},
  repositories: await createRepositories({
    root: `${folder}/repositories`,
    cache_root: `${folder}/cache`,
    identity: { name: 'svc', email: 'noreply@svc.invalid' },
    allow: {},
  }),
  objects: await openFolderStore(`${folder}/objects`),
  vault: createVault(Buffer.from(master_key ?? '', 'hex'), { key_id: 'test' }),
  settings: {
    api_url: 'https://svc.example.test/v1',
    llm_base_url: null,
    session_cap: null,
    idle_after_seconds: 1800,
    trigger_idle_after_seconds: 300,
    ask_timeout_seconds: 1800,
  },
  log: createLogger({ name: 'executor', level: 'error', destination: process.stderr }),
  metrics: createMetrics('executor'),
  maintenance: () => noMaintenance,
  now: () => at,
  newId: randomUUID,
  signal: new AbortController().signal,
  ...{ wire, providers: { http: dying } },
  connector_settings: { approval_sign_in_minutes: 60, call_days: 90 },
})
await executor.execute({ call_id: call_id ?? '' })
// Line 7: the end is written, and its job is not.
if (line === 'finished') die()
