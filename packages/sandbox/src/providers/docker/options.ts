import type { ProviderLog } from '../../shared/provider-log.ts'
import type { Egress } from '../../network/egress.ts'
import type { ToolSources } from '../../shared/tools/tools.ts'
import type { SandboxLimits } from '../../provider.ts'

export interface DockerProviderOptions {
  /** The folder of the provider's records and sockets; the engine must see the same folder under the same path. */
  readonly root: string
  /** The store of harnesses, which the engine must see under the same path as well. */
  readonly harnesses: string
  /** The deployment's id: providers of another scope see none of its sandboxes. */
  readonly scope: string
  /** `unix:///path` of an engine on this machine. */
  readonly engine_url: string
  /** An image that has at least /bin/sh and git; the tools are put on top of it. */
  readonly base_image: string
  readonly tools: ToolSources
  /** The bundle of `guest/boot.ts`, one ESM file. */
  readonly boot_bundle: string
  /** The platform as sandboxes call it. */
  readonly api_url: string
  /** The sandboxes' reach beside the platform; nothing when not given. */
  readonly egress?: Egress | undefined
  /** Limits of a sandbox that asks for no others. */
  readonly default_limits?: SandboxLimits
  /** The engine's runtime, such as `runsc`; its own default when not given. */
  readonly runtime?: string | undefined
  /** The network of `RUN` lines in projects' Dockerfiles; none when not given. */
  readonly build_network?: string | undefined
  /** Days after which an image that the provider made and no sandbox needed is removed; 14 when not given. */
  readonly image_days?: number | undefined
  readonly log: ProviderLog
  /** Time that a stop lets the daemon end by itself. */
  readonly grace_ms?: number
  /** Time between two looks at running sandboxes. */
  readonly look_every_ms?: number
}
