/**
 * A third format, for tests: shows that the graph of types is all that a format needs.
 */
package io.rpcboot.serialization.proto;
