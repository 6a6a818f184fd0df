/** A target that is closed to the sandbox that asked; the message says why. */
export class EgressRefusal extends Error {}
