export interface FeatureFlag {
  readonly feature: string
  readonly summary: string
  /** True when a project has it by default, without a decision of its own. */
  readonly default: boolean
  /** Only a platform admin may change it. */
  readonly operator_only: boolean
}

/** The flags of a project. */
export const features = [
  {
    feature: 'model_gateway',
    summary: 'sessions get a key for the model gateway, and people may mint gateway keys',
    default: false,
    operator_only: false,
  },
  {
    feature: 'previews',
    summary: 'the sandbox proxy reaches the ports that a session listens on',
    default: true,
    operator_only: false,
  },
  {
    feature: 'apps',
    summary: 'the project may deploy apps',
    default: false,
    operator_only: true,
  },
] as const satisfies readonly FeatureFlag[]

export type Feature = (typeof features)[number]['feature']

export function featureFlag(feature: Feature): FeatureFlag {
  const flag = features.find((one) => one.feature === feature)
  if (!flag) throw new RangeError(`There is no feature ${feature}`)
  return flag
}
