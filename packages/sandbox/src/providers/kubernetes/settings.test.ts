import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { kubernetesEnv, kubernetesSettings } from './settings.ts'

const Env = z.object(kubernetesEnv)
const read = (env: Record<string, string>) => kubernetesSettings(Env.parse(env))

describe('the settings of the Kubernetes provider', () => {
  it('has a default for everything but the image and the place', () => {
    expect(read({})).toEqual({
      kubeconfig: null,
      context: null,
      namespace: null,
      image: '',
      harnesses: [],
      storage_class: null,
      runtime_class: null,
      pull_secret: null,
      apps_registry: null,
      apps_engine: null,
      platform: [],
      platform_ports: [7700],
      limits: { cpu: 2, memory_mb: 4096, disk_mb: 10_240 },
      deadlines: { start_ms: 180_000, schedule_ms: 60_000 },
    })
  })

  it('reads lists', () => {
    const settings = read({
      SVC_KUBERNETES_PLATFORM: 'svc, 10.1.0.0/16',
      SVC_KUBERNETES_PLATFORM_PORTS: '7700,7702',
      SVC_KUBERNETES_HARNESSES: 'claude@2.1.5, pi-acp@0.0.24',
    })
    expect(settings.platform).toEqual(['svc', '10.1.0.0/16'])
    expect(settings.platform_ports).toEqual([7700, 7702])
    expect(settings.harnesses).toEqual(['claude@2.1.5', 'pi-acp@0.0.24'])
  })

  it.each([
    { SVC_KUBERNETES_PLATFORM_PORTS: '7700,http' },
    { SVC_KUBERNETES_PLATFORM_PORTS: '0' },
    { SVC_KUBERNETES_NAMESPACE: 'Not_A_Name' },
    { SVC_KUBERNETES_START_SECONDS: '0' },
    { SVC_KUBERNETES_CPU: 'many' },
    { SVC_KUBERNETES_HARNESSES: 'claude' },
  ])('refuses %j', (env) => {
    expect(() => read(env)).toThrow()
  })
})
