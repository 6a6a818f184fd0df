import type { AppInput } from '../schema/app.ts'

interface AppCommon {
  readonly name: string
  readonly path: string | null
  readonly root: string | null
  readonly output_dir: string | null
  readonly install_command: string | null
  readonly build_command: string | null
  readonly spa: boolean
  readonly readiness_path: string | null
  readonly idle_timeout_seconds: number | null
  readonly monthly_budget_usd: number | null
  readonly resources: {
    readonly cpu: number | null
    readonly memory_gb: number | null
    readonly disk_gb: number | null
  }
  readonly env: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

interface Container {
  readonly command: readonly string[]
  readonly port: number
}

export type App = AppCommon &
  (
    | { readonly type: 'static' }
    | {
        readonly type: 'bundle'
        readonly command: readonly string[] | null
        readonly port: number | null
      }
    | ({ readonly type: 'dockerfile'; readonly dockerfile: string } & Container)
    | ({ readonly type: 'oci_image'; readonly image: string } & Container)
  )

const defaultDockerfile = 'Dockerfile'

/** undefined when a key that the type needs is missing, which the shape has said already. */
export function toApp(name: string, input: AppInput): App | undefined {
  const common = commonOf(name, input)
  const { type, command, port, image } = input
  switch (type) {
    case 'static':
      return { ...common, type }
    case 'bundle':
      return { ...common, type, command: command ?? null, port: port ?? null }
    case 'dockerfile': {
      if (command === undefined || port === undefined) return undefined
      return { ...common, type, dockerfile: input.dockerfile ?? defaultDockerfile, command, port }
    }
    case 'oci_image': {
      if (command === undefined || port === undefined || image === undefined) return undefined
      return { ...common, type, image, command, port }
    }
  }
}

function commonOf(name: string, input: AppInput): AppCommon {
  return {
    name,
    path: input.path ?? null,
    root: input.root ?? null,
    output_dir: input.output_dir ?? null,
    install_command: input.install_command ?? null,
    build_command: input.build_command ?? null,
    spa: input.spa ?? false,
    readiness_path: input.readiness_path ?? null,
    idle_timeout_seconds: input.idle_timeout_seconds ?? null,
    monthly_budget_usd: input.monthly_budget_usd ?? null,
    resources: {
      cpu: input.resources?.cpu ?? null,
      memory_gb: input.resources?.memory_gb ?? null,
      disk_gb: input.resources?.disk_gb ?? null,
    },
    env: input.env ?? {},
    secrets: input.secrets ?? {},
  }
}
