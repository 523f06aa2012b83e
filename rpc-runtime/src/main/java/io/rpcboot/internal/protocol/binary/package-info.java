/**
 * Encodes and decodes frames of the native wire protocol: preface, header, bodies of
 * control frames and the section of attachments. Used by transport, client and server;
 * uses attachments ({@code context}) and hashes of contracts
 * ({@code serialization.contract}) only. Pure functions without state or threads. Numbers
 * are big-endian, every length of a peer is checked before it is used, and unknown
 * trailing fields of HELLO are ignored, so later versions can append fields.
 */
@NullMarked
package io.rpcboot.internal.protocol.binary;

import org.jspecify.annotations.NullMarked;
