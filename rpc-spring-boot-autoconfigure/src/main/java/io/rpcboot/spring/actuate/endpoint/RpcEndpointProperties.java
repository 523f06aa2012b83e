package io.rpcboot.spring.actuate.endpoint;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the endpoint. Values are hidden by default, as those of Spring Boot's
 * endpoints {@code env} and {@code configprops}: a secret cannot always be recognized by
 * its name, and a property below {@code rpc} may belong to another library.
 *
 * @param showValues When to show values of settings; values that look like secrets are
 * never shown.
 * @param roles Roles of users who see values with 'when-authorized'; empty for all
 * authenticated users.
 */
@ConfigurationProperties("management.endpoint.rpc")
record RpcEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {

	/**
	 * Returns true if values are shown over JMX, by the rule of Spring Boot's endpoints.
	 */
	boolean showsValues() {
		return this.showValues.isShown(true);
	}

	boolean showsValues(SecurityContext security) {
		return this.showValues.isShown(security, this.roles);
	}

}
