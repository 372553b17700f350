/** What can go wrong between naming two releases and having their summaries: one class, a closed set of codes. */
import { FcdError } from '../base/errors.js';

export type PipelineErrorCode =
  /** No profile speaks of this package, or of this version of it. */
  | 'profile-missing'
  /** A profile of the package exists, but none for this tool. */
  | 'tool-missing'
  /** The profile is of a language that no frontend reads. */
  | 'language-unsupported'
  /** An input is not written as `kind:name=value`, is of no kind that exists, or is not one of the profile's. */
  | 'input-invalid'
  | 'fact-invalid'
  /** The call is not a JSON object. */
  | 'call-invalid';

export class PipelineError extends FcdError<PipelineErrorCode> {}
