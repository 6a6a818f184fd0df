import type { Project } from '@svc/sdk'
import { piProject } from '../../support/sessions/pi-project.ts'
import { type Platform, startPlatform } from '../../support/platform/platform.ts'

export let platform: Platform
/** The project of the agents that are watched. */
export let project: Project

/** A sandbox gets the same, and may push the same, on both runtimes. */
export const onPi = (name: string) => piProject(platform.client, platform.token, name, '{ secrets: all }')

export async function start(): Promise<void> {
  platform = await startPlatform({ SVC_LOG_LEVEL: 'debug' })
  project = await onPi('Sandbox')
}
