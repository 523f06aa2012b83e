package io.rpcboot.internal.protocol.http2;

/**
 * Name of header fields. Fields that refer to a name in a header table share it.
 *
 * @param text its text
 * @param kind kind by the {@link HeaderResolver}
 * @param role role of the name by {@link HeaderRole#ofName}
 */
record HeaderName(String text, int kind, int role) {

}
