import { execFile } from 'node:child_process'
import type { Env } from '../io.ts'
import { appsDeployment } from './compose-env.ts'

/** Ends the sandboxes of a stack whose services are gone: containers beside it, that compose knows nothing of. */
export async function stopSandboxes(env: Env, deployment: string): Promise<void> {
  const docker = (...args: readonly string[]) =>
    new Promise<string>((resolve) => {
      execFile('docker', args, { env: { ...env } }, (error, stdout) => resolve(error === null ? stdout : ''))
    })
  const format = '{{.ID}} {{.Label "svc.deployment"}}'
  const listed = await docker('ps', '--filter', 'label=svc.deployment', '--format', format)
  const names = [deployment, appsDeployment(deployment)]
  // Two stacks on one machine differ in the name; the platform adds a text that tells copies of one name apart.
  const ours = listed
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, label]) => names.includes(label?.replace(/-[0-9a-f]{12}$/, '') ?? ''))
    .flatMap(([id]) => id ?? [])
  if (ours.length > 0) await docker('stop', ...ours)
}
