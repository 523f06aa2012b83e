/**
 * Entry {@code rpc} of the endpoint {@code info}. Top of the Actuator packages: uses
 * {@code endpoint}, and no package uses it.
 */
@NullMarked
package io.rpcboot.spring.actuate.info;

import org.jspecify.annotations.NullMarked;
