import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createClient } from '@svc/sdk'
import { makeComposeStack } from '../platform/compose-stack.ts'
import type { DrilledForm } from './forms.ts'

/** The stack of infra/compose; its folder keeps the backups, the key and the settings. */
export async function composeForm(): Promise<DrilledForm> {
  const { folder, origin, env, done, token: made, docker, down, close } = await makeComposeStack()
  const { SVC_DATA_DIR: data = '', COMPOSE_PROJECT_NAME: name = '' } = env
  const [backups, key] = [join(folder, 'backups'), join(folder, 'master.key')]
  const settings = join(folder, 'settings.env')
  const start = () => done('start', '--compose', '--no-build')
  await start()
  const token = await made()
  const client = createClient({ api_url: `${origin}/v1`, token })
  return {
    ...{ root: folder, client, token, close },
    backUp: async () => join(backups, JSON.parse(await done('backup', '--to', backups, '--json')).name),
    async lose() {
      const { SVC_MASTER_KEY = '' } = parseEnv(await readFile(join(data, 'compose.env'), 'utf8'))
      await writeFile(key, SVC_MASTER_KEY)
      await copyFile(join(data, 'settings.env'), settings)
      const ids = (label: string) =>
        docker('ps', '--quiet', '--filter', `label=${label}`).split('\n').filter(Boolean)
      docker('kill', ...ids(`com.docker.compose.project=${name}`))
      docker('rm', '--force', ...ids('svc.deployment'))
      down()
      await rm(data, { recursive: true })
    },
    async restore(backup) {
      await mkdir(data)
      await copyFile(settings, join(data, 'settings.env'))
      await done('restore', '--from', backup, '--master-key-file', key, '--compose', '--no-build')
      await start()
      return { client, origin }
    },
  }
}
