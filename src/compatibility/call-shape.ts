/** What the profile says about the shape of a call, as far as a predicate closes it. */
export interface CallShape {
  /** Names of the arguments. */
  readonly arguments: readonly string[];
  /** Whether other keys are inside the domain. */
  readonly additionalArguments: boolean;
}
