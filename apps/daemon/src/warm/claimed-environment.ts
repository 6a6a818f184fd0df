/** Variables that a waiting sandbox is born with for the time of waiting; the session brings its own. */
const forWaiting = new Set(['LANG', 'SVC_API_URL', 'SVC_LLM_BASE_URL'])
export const poolOnly = /^SVC_WARM_/

/**
 * The environment as if the sandbox had been made for the session: what it was born with stays where it is the
 * provider's own, which no session and no secret of a project replaces.
 */
export function claimedEnvironment(
  initial: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const own: Record<string, string> = {}
  const before: Record<string, string> = {}
  for (const [name, value] of Object.entries(initial)) {
    if (value === undefined || poolOnly.test(name)) continue
    if (forWaiting.has(name)) before[name] = value
    else own[name] = value
  }
  return { ...before, ...given, ...own }
}
