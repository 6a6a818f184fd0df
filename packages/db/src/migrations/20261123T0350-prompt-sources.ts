/** The parts of the platform that may put a prompt. Existing rows were held to a shorter list and need no check. */
export const statements: readonly string[] = [
  `alter table session_prompts drop constraint session_prompts_source_check`,
  `alter table session_prompts add constraint session_prompts_source_check check (source in (
    'user', 'initial', 'request_changes', 'trigger', 'connector', 'review', 'checks', 'channel', 'monitor')) not valid`,
]
