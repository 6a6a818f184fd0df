import { harnessInstalls } from '@svc/db'
import { licencesOf } from '@svc/harness'
import { ask, type Prepare } from './prepare.ts'

const claude = { name: 'claude' }
const [licence] = licencesOf('claude', '0.49.0')
const accepted: Prepare = async (stage) => {
  await ask(stage, 'PUT', '/v1/admin/harnesses/claude/licence', { sha256: licence?.sha256 })
  return { ids: claude }
}

const installed: Prepare = async ({ platform }) => {
  const key = { store: 'here', harness: 'codex', version: '2.6.0', target: 'linux' }
  await harnessInstalls.want(platform.parts.db, key, new Date())
  return { ids: { name: key.harness, version: key.version } }
}

export const harnessMutations: Readonly<Record<string, Prepare>> = {
  acceptHarnessLicence: async () => ({ ids: claude, body: { sha256: licence?.sha256 } }),
  revokeHarnessLicence: accepted,
  installHarness: async () => ({ ids: { name: 'codex' }, body: { version: '2.6.0' } }),
  removeHarness: installed,
}
