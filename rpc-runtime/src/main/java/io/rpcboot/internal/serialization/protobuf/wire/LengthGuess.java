package io.rpcboot.internal.serialization.protobuf.wire;

/**
 * Number of bytes of the length that the last message of a kind had. Shared by threads
 * without a lock, because a wrong guess costs a move only.
 */
public final class LengthGuess {

	int size = 1;

}
