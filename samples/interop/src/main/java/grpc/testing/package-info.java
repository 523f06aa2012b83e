/**
 * Interface of the interoperability tests of gRPC, in the package that its
 * {@code test.proto} has.
 */
@NullMarked
package grpc.testing;

import org.jspecify.annotations.NullMarked;
