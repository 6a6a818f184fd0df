export const deploymentLabel = 'svc/deployment'
export const sandboxLabel = 'svc/sandbox'
/** `app.kubernetes.io/name` of what has a session's daemon, and of what has a program. */
export const sessionName = 'svc-sandbox'
export const programName = 'svc-program'

/** On the claim, once a sandbox has run: its folders are there, and there are files to keep. */
export const preparedAnnotation = 'svc/prepared'
/** On the claim: what each pod of the sandbox is made of. */
export const podSpecAnnotation = 'svc/blueprint'
/** On the secret, which fewer may read than the claim: what a sandbox that ended by itself has said. */
export const exitReportAnnotation = 'svc/last-words'

const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const labelName = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

export interface SandboxMetadata {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** The caller's labels become labels where Kubernetes takes them, annotations otherwise, and never replace ours. */
export function metadataOf(
  deployment: string,
  name: string,
  given: Readonly<Record<string, string>> = {},
): SandboxMetadata {
  const named = Object.entries(given).filter(([key]) => labelName.test(key))
  const entries = (fits: boolean) =>
    Object.fromEntries(
      named
        .filter(([, value]) => labelValue.test(value) === fits)
        .map(([key, value]) => [`svc/${key}`, value]),
    )
  return {
    labels: {
      ...entries(true),
      'app.kubernetes.io/name': sessionName,
      'app.kubernetes.io/managed-by': 'svc',
      [deploymentLabel]: deployment,
      [sandboxLabel]: name,
    },
    annotations: entries(false),
  }
}

/** True for the pod of a program. */
export function isProgram({
  metadata,
}: {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }
}): boolean {
  return metadata?.labels?.['app.kubernetes.io/name'] === programName
}

/** True for an object of this deployment; another's object under a sandbox's name is not ours to touch. */
export function isOf(
  deployment: string,
  object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } },
): boolean {
  return object.metadata?.labels?.[deploymentLabel] === deployment
}
