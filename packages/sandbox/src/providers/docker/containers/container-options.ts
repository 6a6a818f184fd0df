import type { ContainerCreateOptions } from 'dockerode'
import { mountedPlaces } from '../../../shared/environment.ts'
import { programEntrypoint, withheldVariables } from '../../../engine/image-files.ts'
import type { DockerRecord } from '../record.ts'

export interface ContainerInput {
  readonly record: Pick<DockerRecord, 'external_id' | 'limits' | 'hosts' | 'disk_by_engine' | 'image_program'>
  readonly name: string
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
  /** The host's folder with the relay's socket. */
  readonly shared: string
  /** The host's store of harnesses. */
  readonly harnesses: string
  readonly runtime: string | undefined
  readonly engine_cpus: number
}

const megabyte = 1024 * 1024

/**
 * The container of a sandbox: no network device, no capability, no way to new privileges, an ordinary user, and the
 * engine's usual seccomp profile. Its root file system is writable, though little of it by that user, because what is
 * written there is what its disk limit counts. Its environment comes over the relay: what a container is created with
 * cannot be changed, and every user who may ask the engine can read it.
 */
export function containerOptions(input: ContainerInput): ContainerCreateOptions {
  const { record, shared, runtime } = input
  const { memory_mb, pids, cpu, disk_mb } = record.limits
  const { first, mounts } = kindOf(input)
  return {
    name: input.name,
    Image: input.image,
    Hostname: 'sandbox',
    ...first,
    Labels: { ...input.labels },
    AttachStdout: false,
    AttachStderr: false,
    HostConfig: {
      NetworkMode: 'none',
      ExtraHosts: Object.entries(record.hosts).map(([name, address]) => `${name}:${address}`),
      Binds: [`${shared}:/run/svc-platform:ro`, ...mounts.Binds],
      ...(mounts.Tmpfs === undefined ? {} : { Tmpfs: mounts.Tmpfs }),
      ...(mounts.Init === undefined ? {} : { Init: mounts.Init }),
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      IpcMode: 'private',
      // Programs in a sandbox listen on what port they like; the address is its own.
      Sysctls: { 'net.ipv4.ip_unprivileged_port_start': '0' },
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
      ...(memory_mb === undefined ? {} : { Memory: memory_mb * megabyte, MemorySwap: memory_mb * megabyte }),
      ...(pids === undefined ? {} : { PidsLimit: pids }),
      ...(cpu === undefined ? {} : { NanoCpus: Math.round(Math.min(cpu, input.engine_cpus) * 1e9) }),
      ...(disk_mb === undefined ? {} : diskOptions(disk_mb, record.disk_by_engine)),
      ...(runtime === undefined ? {} : { Runtime: runtime }),
    },
  }
}

/** The differences between the platform's own image and any other, which only programs are made of. */
function kindOf({ record, harnesses }: ContainerInput) {
  const marker = `SVC_SANDBOX_ID=${record.external_id}`
  if (record.image_program !== null)
    return {
      first: {
        User: record.image_program.user,
        WorkingDir: '/',
        Env: [marker, ...withheldVariables.map((name) => `${name}=`)],
        Entrypoint: [...programEntrypoint],
        Cmd: [],
      },
      // The image has no shell that would collect what its program leaves behind.
      mounts: { Binds: [], Init: true },
    }
  return {
    first: { User: '1000:1000', WorkingDir: '/workspace', Env: [marker] },
    mounts: {
      Binds: [storeBind(harnesses)],
      Tmpfs: { '/run/svc': 'rw,nosuid,nodev,noexec,size=16m,mode=0700,uid=1000,gid=1000' },
    },
  }
}

export const storeBind = (harnesses: string): string => `${harnesses}:${mountedPlaces.harnesses}:ro`

/** No single file may be larger than the disk, which the kernel sees to; their sum is the engine's or the watch's task. */
function diskOptions(disk_mb: number, by_engine: boolean) {
  const bytes = disk_mb * megabyte
  return {
    Ulimits: [{ Name: 'fsize', Soft: bytes, Hard: bytes }],
    ...(by_engine ? { StorageOpt: { size: `${disk_mb}M` } } : {}),
  }
}
