/** Printed by a runtime's program that reads its environment from its standard input; one that never does cannot stand by. */
export const standbyWord = 'svc-runtime stands by'
/** Printed once it has the environment of its session. */
export const claimedWord = 'svc-runtime has its session'
/** Marks an environment that is for prewarming: that of the session comes later. */
export const prewarmVariable = 'SVC_RUNTIME_PREWARM'
/** Printed once it can be asked for the turn that prewarms it. */
export const prewarmingWord = 'svc-runtime prewarms'
