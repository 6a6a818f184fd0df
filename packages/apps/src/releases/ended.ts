/** Another caller ended the release. */
export class Ended extends Error {}
