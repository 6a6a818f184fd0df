/** The ways in which a harness asks a model, by their names in the gateway; `none` asks no model of it. */
export const harnessDialects = ['chat', 'responses', 'messages', 'generate_content', 'none'] as const
export type HarnessDialect = (typeof harnessDialects)[number]

/** The payer of a harness's model calls: the gateway's key, the project's own secrets, or the person's subscription. */
export const harnessAuths = ['gateway', 'secrets', 'personal'] as const
export type HarnessAuth = (typeof harnessAuths)[number]

/** Whether a harness asks before its tools act: at each of them, in its asking mode alone, or at none. */
export const askingHabits = ['always', 'by_mode', 'never'] as const
export type AskingHabit = (typeof askingHabits)[number]

/** The reasons for which a harness cannot start now. */
export const unavailableReasons = [
  'operator',
  'node',
  'platform',
  'dialect',
  'provider',
  'gateway_off',
  'credential',
] as const
export type UnavailableReason = (typeof unavailableReasons)[number]

/** `^[a-z0-9][a-z0-9_-]{0,63}$`, which is a slug of at most 64 characters. */
export const harnessNameLength = 64

/** The limits of one entry of the manifest's `harnesses`. */
export const harnessLimits = {
  entries: 16,
  command_words: 64,
  command_characters: 4096,
  variables: 64,
  variable_characters: 4096,
  model_variables: 8,
  options: 32,
} as const
