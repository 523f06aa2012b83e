package io.rpcboot.internal.client.contract;

import io.rpcboot.RpcStatus;

/**
 * Why a connected server serves a service or a method to nobody of this version.
 *
 * @param status how its calls fail
 * @param why for people
 */
public record BindRejection(RpcStatus status, String why) {
}
