export interface FeatureFlag {
  readonly feature: string
  readonly summary: string
  /** True when a project has it by default, without a decision of its own. */
  readonly default: boolean
  /** Only a platform admin may change it. */
  readonly operator_only: boolean
  /** Nothing but the project's own decision switches it on: no account and no platform does for it. */
  readonly own_decision: boolean
}

/** The flags of a project. */
export const features = [
  {
    feature: 'model_gateway',
    summary: 'sessions get a key for the model gateway, and people may mint gateway keys',
    default: false,
    operator_only: false,
    own_decision: true,
  },
  {
    feature: 'previews',
    summary: 'the sandbox proxy reaches the ports that a session listens on',
    default: true,
    operator_only: false,
    own_decision: false,
  },
  {
    feature: 'apps',
    summary: 'the project may deploy apps',
    default: false,
    operator_only: true,
    own_decision: false,
  },
] as const satisfies readonly FeatureFlag[]

export type Feature = (typeof features)[number]['feature']

export function featureFlag(feature: Feature): FeatureFlag {
  const flag = features.find((one) => one.feature === feature)
  if (!flag) throw new RangeError(`There is no feature ${feature}`)
  return flag
}

/** Decisions about a feature, the nearest first; null where there is none. */
export interface FeatureDecided {
  readonly project: boolean | null
  readonly account: boolean | null
  readonly platform: boolean | null
  /** False: an operator closed it for every project. */
  readonly available: boolean
}

/** The decision of the project, else of its account, else of the platform, else the flag's own default. */
export function isFeatureOn(
  flag: FeatureFlag,
  { project, account, platform, available }: FeatureDecided,
): boolean {
  if (!available) return false
  return project ?? (flag.own_decision ? flag.default : (account ?? platform ?? flag.default))
}
