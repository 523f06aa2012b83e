package io.rpcboot.spring.actuate.endpoint;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the endpoint. Values are hidden by default, as those of Spring Boot's
 * endpoints {@code env} and {@code configprops}: a name does not always tell a secret,
 * and what begins with {@code rpc} may belong to another library.
 *
 * @param showValues When to show the values of settings; those that look like secrets are
 * never shown.
 * @param roles Roles of users to whom values are shown with 'when-authorized'; empty for
 * all who are authenticated.
 */
@ConfigurationProperties("management.endpoint.rpc")
record RpcEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {

	/** To those who come over JMX, as Spring Boot's endpoints do. */
	boolean showsValues() {
		return this.showValues.isShown(true);
	}

	boolean showsValues(SecurityContext security) {
		return this.showValues.isShown(security, this.roles);
	}

}
