/**
 * The endpoint {@code rpc}: its paths and one report for each. Uses {@code findings} and
 * {@code descriptor}; {@code health} and {@code info} use it. Reports only read, create
 * no client and no reference, and bound the size of each document.
 */
@NullMarked
package io.rpcboot.spring.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
