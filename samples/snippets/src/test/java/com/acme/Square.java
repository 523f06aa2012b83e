package com.acme;

public class Square extends Shape {

}
