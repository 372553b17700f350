/**
 * Every bound of the product, named, with its unit last and the reason for its size. A bound that is reached is a clear
 * error or an escalation, never a silent cut. Each has a test at it and past it beside the code that it bounds.
 */

// JSON documents

/** Nesting of arrays and objects in a JSON text: far above real documents, far below the stack. */
export const JSON_DEPTH_MAX = 128;

// Releases and archives

/** One downloaded artifact; the largest pure-Python tool servers are a few megabytes. */
export const ARTIFACT_BYTES_MAX = 256 * 1024 * 1024;
/** One index page or metadata document of a package index. */
export const INDEX_PAGE_BYTES_MAX = 64 * 1024 * 1024;
/** Members of one release tree, directories not counted. */
export const TREE_MEMBERS_MAX = 50_000;
/** One file of a release tree. */
export const TREE_MEMBER_BYTES_MAX = 64 * 1024 * 1024;
/** All files of a release tree together. */
export const TREE_TOTAL_BYTES_MAX = 1024 * 1024 * 1024;
/** Unpacked bytes for each packed byte of a whole archive; source compresses about five to one, a bomb a thousand to one. */
export const ARCHIVE_RATIO_MAX = 100;
/** Below this many unpacked bytes the ratio is not looked at: a tiny archive of blank files is no bomb. */
export const ARCHIVE_RATIO_FLOOR_BYTES = 8 * 1024 * 1024;
/** A path inside a release, in UTF-8 bytes. */
export const TREE_PATH_BYTES_MAX = 1024;
/** Links followed from one link of a release to its file. */
export const TREE_LINK_HOPS_MAX = 16;
/** A metadata or lock file that is parsed for dependency versions. */
export const LOCK_FILE_BYTES_MAX = 32 * 1024 * 1024;
/** Silence after which a child process that reaches a network (pip, git) is given up. */
export const ACQUIRE_TIMEOUT_MS = 10 * 60 * 1000;
/** What is kept of the output of such a child process for its error text. */
export const CHILD_OUTPUT_BYTES_MAX = 64 * 1024;
/** Age after which a scratch folder in the cache belongs to no running process. */
export const SCRATCH_AGE_MAX_MS = 24 * 60 * 60 * 1000;
/** Near misses that an error about a missing version names. */
export const NEAREST_VERSIONS_MAX = 5;

// Profiles and inventories

/** One YAML file of a profile or an inventory; a large reviewed inventory is a tenth of this. */
export const PROFILE_BYTES_MAX = 1024 * 1024;
/** Aliases expanded in one YAML file: enough to share a block, far too few for a bomb. */
export const PROFILE_ALIASES_MAX = 100;
/** One CEL expression of a profile or an inventory. */
export const CEL_BYTES_MAX = 16 * 1024;
/** Nesting of a CEL expression. */
export const CEL_DEPTH_MAX = 64;

// Intermediate representation

/** Nesting of IR nodes, in printed text and in lowered programs: every walk over the IR is recursive, and real code stays below 50. */
export const IR_DEPTH_MAX = 400;

// Analysis

/** Expressions and statements evaluated for one tool; real handlers need a few thousand. */
export const EVALUATION_STEPS_MAX = 2_000_000;
/** Nodes of all decision diagrams of one analysis. */
export const GUARD_NODES_MAX = 4_000_000;
/** Project functions called inside each other. */
export const CALL_DEPTH_MAX = 100;
/** Elements of a known collection that a loop is unrolled over. */
export const LOOP_UNROLL_MAX = 512;
/** Passes over a loop body until what it carries is known. */
export const LOOP_PASSES_MAX = 12;

// Compatibility

/** Alternatives of one operand over which a pure test is split when arguments become known. */
export const REWRITE_LEAVES_MAX = 16;
/** Rows of a decision table. */
export const CLASS_ROWS_MAX = 64;
/** Conditions of one row in words. */
export const CONDITION_TERMS_MAX = 12;
/** Alternatives of one condition that a table for people names. */
export const CONDITION_ALTERNATIVES_MAX = 4;
/** Rows of one verdict in a table for people. */
export const TABLE_PIECES_MAX = 6;
/** A value in words, in characters. */
export const DESCRIPTION_LENGTH_MAX = 160;
/** A printed predicate, in characters. */
export const PREDICATE_LENGTH_MAX = 8192;
/** Calls on which a printed predicate is tried before it is returned. */
export const PREDICATE_PROBES_MAX = 256;
/** Nesting of a printed predicate. */
export const PREDICATE_DEPTH_MAX = 200;
/** Shared parts of a printed predicate that get a name. */
export const PREDICATE_SHARED_MAX = 48;

// Runs of the command

/** Pairs of releases whose summaries a batch keeps at hand; each is a few megabytes. */
export const PAIRS_KEPT_MAX = 32;
/** Stores of pairs of releases kept in memory; each holds the terms of all tools of its pair. */
export const STORES_KEPT_MAX = 4;
/** One line of a batch. */
export const BATCH_LINE_BYTES_MAX = 4 * 1024 * 1024;
/** Terms, propositions, diagram nodes and loops of one stored summary. */
export const SUMMARY_NODES_MAX = 1_000_000;

// Frontends

/** Nesting of a syntax tree: a tree has about three levels for each of the IR's, and every walk over it is recursive. */
export const SYNTAX_DEPTH_MAX = 1000;
/** Bindings and calls that are followed from one written object to what it may be; past it, it may be anything. */
export const ORIGIN_DEPTH_MAX = 64;
/** Expressions that are looked at for that. */
export const ORIGIN_STEPS_MAX = 2000;
/** Operators of one chained comparison and names of one dotted name: flat in the source, nested in the IR. */
export const SYNTAX_CHAIN_MAX = 100;
