/**
 * Tests of generated contracts with the compiler of protobuf.
 */
package io.rpcboot.internal.serialization.protobuf.generated;
