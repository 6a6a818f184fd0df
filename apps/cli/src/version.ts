/** The release of this command; kept equal to package.json by a test. */
export const version = '0.1.0'
