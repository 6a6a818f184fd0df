import type { AskingHabit, HarnessDialect } from '../words.ts'

/** The source of a harness's program. */
export type HarnessProgram =
  /** A package of npm that the platform installs by a lock file of its own; `pins` by the major version of Node. */
  | {
      readonly kind: 'npm'
      readonly package: string
      readonly pins: Readonly<Record<20 | 22 | 24, string>>
      /** The script that Node runs, from the folder of the install. */
      readonly script: string
    }
  /** A command that every sandbox has. */
  | { readonly kind: 'sandbox'; readonly command: string }
  /** A command that the image of a template has to bring. */
  | { readonly kind: 'image'; readonly command: string }

/**
 * The way in which the program learns of the gateway: by ACP's `authenticate`, by variables of its vendor, or by a file of
 * settings that only it reads.
 */
export type GatewayWay = 'authenticate' | 'variables' | 'opencode' | 'pi'

/** A harness that the platform knows how to start. */
export interface KnownHarness {
  readonly name: string
  readonly title: string
  readonly program: HarnessProgram
  /** Arguments after the program. */
  readonly args: readonly string[]
  readonly licence: string
  /** Packages whose licence has to be accepted before the first start. */
  readonly proprietary: readonly string[]
  readonly dialect: Exclude<HarnessDialect, 'none'>
  readonly gateway: GatewayWay
  /** Variables by which `variables` names the address, the key and their like. */
  readonly variables: VendorVariables
  /** The transports of MCP servers that it takes. */
  readonly mcp: readonly ('http' | 'sse')[]
  /** About the size on the disk, in bytes. */
  readonly bytes: number
  readonly asks: AskingHabit
  /** True where it reads the agents' own files itself: they are its modes, and it holds to their rules. */
  readonly reads_agents: boolean
  /** The mode in which it asks before it acts; null where it has no modes. */
  readonly asking_mode: string | null
  /**
   * The mode for an agent whose file holds nothing back: one that asks for nothing, where its asking mode would refuse what
   * the sandbox allows. Null stays in the asking mode, in which the platform answers by itself.
   */
  readonly free_mode: string | null
  /** A file in the sandbox's home that it reads its instructions from; without one they come with the first prompt. */
  readonly instructions_file: string | null
  /** The folder in the home that skills are linked into. */
  readonly skills_folder: string | null
  readonly model_by: 'option' | 'env'
  readonly model_env: readonly string[]
  /**
   * Switches that end telemetry, updates of itself and sign-ins at its vendor. `{folder}` stands for the folder of its
   * install, `{home}` for the sandbox's home, `{model}` for the session's model, `{git_settings}` for what includes the
   * platform's settings of git, as `GIT_CONFIG_PARAMETERS` takes it.
   */
  readonly env: Readonly<Record<string, string>>
  /** Files of settings by their paths in the home, written at each start, for switches that are no variables. */
  readonly home_files: Readonly<Record<string, string>>
  /** False where it cannot work with files by way of its client, and works with them itself. */
  readonly client_files: boolean
  /** Credentials of its vendor, kept from it while the gateway pays. */
  readonly vendor_env: readonly string[]
  /** The variable that holds a person's own subscription; null where its vendor has none for programs. */
  readonly personal_secret: string | null
  /** False where resuming answers and knows nothing. */
  readonly resume: boolean
  /**
   * The folder in the home with records that are named `session-<minute>-<start of the id>`, where opening an earlier
   * session begins by writing an empty one under the name of this minute; null where nothing is lost so.
   */
  readonly dated_records: string | null
  /**
   * The `_meta` of the opening of a session, for settings that have to stand above those of the repository: what leads its
   * requests to the gateway, and so the session's key. `{env:NAME}` stands for a variable of its own environment.
   */
  readonly session_meta: Readonly<Record<string, unknown>> | null
}

/** Names of the variables for the gateway's address and key. */
export interface VendorVariables {
  readonly base: readonly string[]
  readonly key: readonly string[]
}
