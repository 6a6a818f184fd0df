/** An agent whose own file asks before one kind of command. */
export const coderFile = `---
description: writes code
mode: primary
permission:
  bash:
    "*": allow
    "touch asked*": ask
---
You write code.
`
